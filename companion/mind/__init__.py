"""Thinking, in a process of its own: `questions.py` is what is asked, `mind.py` asks, `child.py` answers."""

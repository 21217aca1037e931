"""The screens and what they are drawn with."""

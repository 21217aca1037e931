from companion.games.bau_boom.position import Move, Position
from companion.language import Message
def why(position: Position, move: Move) -> Message:
    return Message("x")

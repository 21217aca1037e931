"""What is said about the light and the tray: what is wrong, and what to do."""

from companion.language import Message, mark
from companion.tray.drift import Drift
from companion.tray.light import Kind

FLAWS: dict[Kind, tuple[str, str]] = {
    Kind.DARK: (mark("It is too dark"), mark("More light, or bring the lamp nearer.")),
    Kind.BRIGHT: (mark("It is too bright"), mark("Less light, or turn the lamp away.")),
    Kind.GLARE: (
        mark("Something glares"),
        mark("Put paper in front of the lamp, or move it aside; take the dice out now."),
    ),
    Kind.SHADOW: (mark("A shadow lies on the tray"), mark("A second lamp, or move this one.")),
    Kind.FLICKER: (mark("The light flickers"), mark("Another lamp: this one flickers.")),
    Kind.BLUR: (mark("The picture is blurred"), mark("Focus the camera, clean its lens, or move it away.")),
}
WELL: dict[Kind, str] = {
    Kind.DARK: mark("Bright enough"),
    Kind.BRIGHT: mark("Not too bright"),
    Kind.GLARE: mark("Nothing glares"),
    Kind.SHADOW: mark("No shadow"),
    Kind.FLICKER: mark("The light is steady"),
    Kind.BLUR: mark("The picture is sharp"),
}
DRIFTS: dict[Drift, Message] = {
    Drift.MOVED: Message(
        mark("The tray or the camera has moved. Put it back, or set up the camera again in the settings.")
    ),
    Drift.LIGHT: Message(
        mark("The light has changed since the camera was set up. If dice are misread: set it up again.")
    ),
}

"""The configuration: commented YAML becomes frozen settings, or all its mistakes at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.config.document import ConfigError, Problem, WrongError, texts_of
from companion.config.files import (
    camera_file,
    is_measured,
    not_understood,
    read_settings,
    save,
    with_camera,
)
from companion.config.kinds import Value, is_path
from companion.config.mqtt import MqttConfig, read_mqtt
from companion.config.panel import NO_PINS, PanelConfig, load_panel, read_panel
from companion.config.paths import ASSETS, CONFIG, ROOT, config_dir, data_dir, program, store_file
from companion.config.settings import KINDS, MEASURED, OFFERED, SETTINGS, VOLUME, Offered, Settings

__all__ = [
    "ASSETS",
    "CONFIG",
    "KINDS",
    "MEASURED",
    "OFFERED",
    "ROOT",
    "SETTINGS",
    "VOLUME",
    "ConfigError",
    "Configuration",
    "MqttConfig",
    "Offered",
    "PanelConfig",
    "Problem",
    "Settings",
    "Value",
    "WrongError",
    "camera_file",
    "config_dir",
    "data_dir",
    "is_measured",
    "is_path",
    "load_all",
    "load_panel",
    "machine_file",
    "program",
    "save",
    "store_file",
    "texts_of",
    "understood",
    "with_camera",
]


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that is configured; `written` are the settings of the user's own file alone, `files` those
    of both, of which the command line may make other `settings`.

    `foreign` is what was not understood in the files that the companion has written itself, `mistakes` what
    is wrong in those of the user: it does not hold.
    """

    settings: Settings
    written: Settings
    panel: PanelConfig
    mqtt: MqttConfig = field(default_factory=MqttConfig)
    foreign: Sequence[Problem] = ()
    files: Settings | None = None
    mistakes: Sequence[Problem] = ()

    @property
    def overruled(self) -> Sequence[str]:
        """What the user's own file says in vain: something else was chosen on the screen."""
        chosen = self.files or self.settings
        mine = (key for key in KINDS if key not in MEASURED)
        return [key for key in mine if getattr(chosen, key) != getattr(self.written, key)]


def machine_file(data: Path) -> Path:
    """Return the file of the machine's own settings in the data folder."""
    return data / "settings.yaml"


def load_all(config: Path, data: Path) -> Configuration:
    """Return what the files in both folders say, or raise `ConfigError` with the mistakes of all."""
    configuration = understood(config, data)
    if configuration.mistakes:
        raise ConfigError(configuration.mistakes)
    return configuration


def understood(config: Path, data: Path) -> Configuration:
    """Return what the files in both folders say, as far as it is right. Where the panel's file has mistakes
    no pin is touched, where the broker's has some nothing is told.
    """
    found = read_settings(config / "companion.yaml", machine_file(data))
    panel, more = read_panel(config / "panel.yaml")
    mqtt, most = read_mqtt(config / "mqtt.yaml")
    settings = with_camera(found.settings, data, found.settings.camera)
    foreign = [*found.foreign, *not_understood(camera_file(data, settings.camera))]
    mistakes = [*found.problems, *more, *most]
    return Configuration(
        settings, found.written, panel or NO_PINS, mqtt or MqttConfig(), foreign, settings, mistakes
    )

"""Objects that cross to other processes with their settings, and begin anew there."""


class SettingsOnly:
    """Pickled without the attributes that begin with `_`: they belong to one process."""

    def __getstate__(self) -> dict[str, object]:
        """Return the settings."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take the settings, with nothing under way."""
        vars(self).update(state)
        self._begin()

    def _begin(self) -> None:
        """Set what belongs to this process."""

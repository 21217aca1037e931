"""What the errors of the system say of a disk: that it is full, or that it takes nothing from this user."""

import errno

FULL = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


def is_full(error: OSError) -> bool:
    """Whether there is no room left: it helps to delete something."""
    return error.errno in FULL


def is_closed(error: OSError) -> bool:
    """Whether nothing may be written there: it helps to make the place writable."""
    return error.errno in CLOSED

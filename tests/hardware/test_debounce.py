"""Clean presses from bouncing contacts. Time is a number here; nothing waits."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import Button, Change, Debouncer, Held, PanelEvent, Pressed, Released

SETTLE, HOLD = 0.02, 0.8


def bouncing(*contacts: tuple[float, float, list[float]]) -> list[tuple[bool, float]]:
    """Raw edges of contacts (from, to, gaps): each change bounces, once for every gap (seconds)."""
    edges = []
    for start, end, gaps in contacts:
        for at, level in ((start, True), (end, False)):
            edges.append((level, at))
            for gap in gaps:
                at += gap
                edges.append((not level, at))
                at += gap
                edges.append((level, at))
    return edges


def changes_of(edges: list[tuple[bool, float]], end: float) -> list[Change]:
    contact = Debouncer(SETTLE)
    found = [change for pressed, at in edges for change in contact.edge(pressed, at)]
    return found + list(contact.advance(end))


def events_of(edges: list[tuple[bool, float]], end: float) -> list[PanelEvent]:
    button = Button("undo", SETTLE, HOLD)
    found: list[PanelEvent] = []
    for pressed, at in edges:
        while button.due is not None and button.due <= at:
            found += button.advance(button.due)
        found += button.edge(pressed, at)
    while button.due is not None and button.due <= end:
        found += button.advance(button.due)
    return found


gaps = st.lists(st.floats(0.0001, 0.002), max_size=4)
presses = st.lists(st.tuples(st.floats(0.05, 2), st.floats(0.05, 2), gaps), min_size=1, max_size=6)


@given(presses)
def test_every_press_counts_once_however_it_bounces(lengths: list[tuple[float, float, list[float]]]) -> None:
    contacts, now = [], 0.0
    for before, during, bounces in lengths:
        contacts.append((now + before, now + before + during, bounces))
        now += before + during
    found = changes_of(bouncing(*contacts), now + 1)
    assert [change.pressed for change in found] == [True, False] * len(contacts)
    for (start, end, bounces), down, up in zip(contacts, found[::2], found[1::2], strict=True):
        assert start <= down.at <= start + 2 * sum(bounces) + 1e-9
        assert end <= up.at <= end + 2 * sum(bounces) + 1e-9


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 0.1)), max_size=60))
def test_any_noise_gives_presses_and_releases_in_turn(noise: list[tuple[bool, float]]) -> None:
    now, edges = 0.0, []
    for level, gap in noise:
        now += gap
        edges.append((level, now))
    found = changes_of(edges, now + 1)
    assert [change.pressed for change in found] == [i % 2 == 0 for i in range(len(found))]
    assert (len(found) % 2 == 1) == bool(edges and edges[-1][0])


@given(st.lists(st.floats(0.0001, 0.0199), max_size=30))
def test_short_spikes_are_no_press(lengths: list[float]) -> None:
    now, edges = 0.0, []
    for length in lengths:
        edges += [(True, now + 0.1), (False, now + 0.1 + length)]
        now += 0.1 + length
    assert changes_of(edges, now + 1) == []


def test_a_press_is_known_when_it_has_settled_and_not_before() -> None:
    contact = Debouncer(SETTLE)
    assert contact.due is None
    assert contact.edge(True, 1.0) == ()
    assert contact.due == 1.0 + SETTLE
    assert contact.advance(1.019) == ()
    assert contact.advance(1.0201) == (Change(True, 1.0),)
    assert contact.due is None


def test_a_press_that_was_seen_too_late_is_still_a_press() -> None:
    """Both edges stood in the queue while the thread was busy."""
    contact = Debouncer(SETTLE)
    assert contact.edge(True, 1.0) == ()
    assert contact.edge(False, 1.1) == (Change(True, 1.0),)
    assert contact.advance(2.0) == (Change(False, 1.1),)


def test_the_same_level_again_does_not_begin_anew() -> None:
    contact = Debouncer(SETTLE)
    contact.edge(True, 1.0)
    assert contact.edge(True, 1.015) == ()
    assert contact.due == 1.0 + SETTLE


def test_a_long_press_is_held_once_between_press_and_release() -> None:
    events = events_of([(True, 1.0), (False, 4.0)], 6)
    assert events == [Pressed("undo"), Held("undo"), Released("undo")]


def test_a_short_press_is_never_held() -> None:
    assert events_of([(True, 1.0), (False, 1.7)], 6) == [Pressed("undo"), Released("undo")]


def test_a_hold_is_measured_from_the_first_contact_and_told_in_time() -> None:
    button = Button("back", SETTLE, HOLD)
    button.edge(True, 1.0)
    assert button.advance(1.03) == (Pressed("back"),)
    assert button.due == 1.0 + HOLD
    assert button.advance(1.79) == ()
    assert button.advance(1.81) == (Held("back"),)
    assert button.due is None


@given(presses)
def test_events_come_in_order_and_held_exactly_when_long(
    lengths: list[tuple[float, float, list[float]]],
) -> None:
    edges, expected, now = [], [], 0.0
    for before, during, _ in lengths:
        if abs(during - HOLD) < 0.001:  # too close to tell with floats
            return
        edges += [(True, now + before), (False, now + before + during)]
        now += before + during
        held = [Held("undo")] if during > HOLD else []
        expected += [Pressed("undo"), *held, Released("undo")]
    assert events_of(edges, now + 5) == expected


def test_a_thread_that_slept_through_everything_tells_it_all_in_order() -> None:
    button = Button("undo", SETTLE, HOLD)
    assert button.edge(True, 1.0) == ()
    assert button.edge(False, 3.0) == (Pressed("undo"),)
    assert button.edge(True, 5.0) == (Held("undo"), Released("undo"))


def test_a_finger_that_lets_go_just_in_time_has_not_held() -> None:
    button = Button("undo", SETTLE, HOLD)
    button.edge(True, 1.0)
    assert button.advance(1.03) == (Pressed("undo"),)
    assert button.edge(False, 1.79) == ()
    assert button.advance(1.805) == ()
    assert button.advance(1.82) == (Released("undo"),)


def test_a_spike_while_it_is_held_only_delays_the_long_press() -> None:
    button = Button("undo", SETTLE, HOLD)
    button.edge(True, 1.0)
    assert button.advance(1.03) == (Pressed("undo"),)
    assert button.edge(False, 1.795) == ()
    assert button.edge(True, 1.805) == (Held("undo"),)

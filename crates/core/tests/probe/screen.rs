//! From read to screen.

use streamlag_core::Visibility;
use streamlag_core::measurement::Render;

use crate::script::{Do, ms, play, read, role, text, tool};

fn render(steps: &[(i64, Do)]) -> Render {
    play(steps).render.expect("somebody watched the screen")
}

#[test]
fn nobody_watched_means_nothing_is_claimed() {
    assert_eq!(play(&[(0, Do::Send), (100, read(&text("a")))]).render, None);
}

#[test]
fn lag_runs_from_the_read_to_both_bounds_of_its_frame() {
    let r = render(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (103, Do::Parsed),
        (110, Do::Commit(0)),
        (116, Do::Paint(6)),
    ]);
    assert_eq!((r.holdback.min(), r.holdback.max()), (ms(7), ms(7)));
    assert_eq!((r.lag_earliest.max(), r.lag_latest.max()), (ms(16), ms(22)));
    assert_eq!((r.first_paint, r.frames, r.not_shown), (ms(122), 1, 0));
}

#[test]
fn a_commit_inside_the_frames_callback_belongs_to_that_frame() {
    let r = render(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (118, Do::Commit(0)),
        (116, Do::Paint(6)),
    ]);
    assert_eq!((r.lag_earliest.max(), r.lag_latest.max()), (ms(18), ms(22)));
}

#[test]
fn a_frame_shows_only_what_was_committed() {
    let r = render(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (105, Do::Paint(1)),
        (110, read(&text("b"))),
        (112, Do::Commit(0)),
        (120, Do::Paint(1)),
        (130, Do::Commit(1)),
        // Told late: this frame was over before the commit.
        (125, Do::Paint(1)),
    ]);
    assert_eq!((r.frames, r.not_shown, r.lag_latest.count()), (1, 1, 1));
}

#[test]
fn only_text_is_waited_for() {
    let r = render(&[
        (0, Do::Send),
        (90, read(&role())),
        (95, read(&tool("{}"))),
        (100, read(&text("a"))),
        (101, Do::Commit(2)),
        (110, Do::Paint(1)),
    ]);
    assert_eq!((r.lag_latest.count(), r.not_shown), (1, 0));
}

#[test]
fn what_a_hidden_page_would_have_shown_is_censored() {
    let r = render(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (101, Do::Commit(0)),
        (105, Do::See(Visibility::Hidden)),
        (200, read(&text("b"))),
        (300, Do::See(Visibility::Visible)),
        (310, Do::Paint(2)),
        (320, read(&text("c"))),
        (321, Do::Commit(2)),
        (330, Do::Paint(2)),
    ]);
    assert_eq!((r.censored, r.frames, r.lag_latest.count()), (2, 1, 1));
    assert_eq!((r.first_paint, r.lag_latest.max()), (ms(332), ms(12)));
}

#[test]
fn reads_that_are_never_shown_do_not_pile_up() {
    let mut steps = vec![(0, Do::Send), (1, Do::Paint(0))];
    steps.extend((0..1000).map(|i| (100 + i, read(&text("a")))));
    let r = render(&steps);
    assert_eq!(r.not_shown + r.censored, 1000);
    assert!(r.not_shown <= 256);
}

#[test]
fn a_commit_that_came_before_its_read_is_of_another_stream() {
    let r = render(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (50, Do::Commit(0)),
        (60, Do::Paint(1)),
    ]);
    assert_eq!((r.holdback.count(), r.not_shown), (0, 1));
}

#[test]
fn handling_shorter_than_the_clocks_step_is_counted_without_a_length() {
    let m = play(&[
        (0, Do::Send),
        (100, read(&text("a"))),
        (100, Do::Parsed),
        (140, read(&text("b"))),
        (143, Do::Parsed),
        (149, Do::Parsed),
    ]);
    let parse = m.parse.expect("the shell told it");
    assert_eq!(
        (parse.count(), parse.unresolved(), m.parse_total),
        (2, 1, ms(3))
    );
}

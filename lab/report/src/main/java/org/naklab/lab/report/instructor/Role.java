package org.naklab.lab.report.instructor;

import org.naklab.lab.report.live.FilmPage;

/** Tells who asks, by the token of the address. */
enum Role {
    /** Watches. */
    AUDIENCE,
    /** Acts as well. */
    INSTRUCTOR;

    /** Returns what somebody of this role is told. */
    RunState sees(RunState state) {
        return this == INSTRUCTOR ? state : state.forAudience();
    }

    FilmPage.Role ofPage() {
        return this == INSTRUCTOR ? FilmPage.Role.INSTRUCTOR : FilmPage.Role.AUDIENCE;
    }
}

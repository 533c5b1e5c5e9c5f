package org.naklab.lab.report.live;

import org.jspecify.annotations.Nullable;

/**
 * Tells what a viewer asks for; what is {@code null} stays as it is.
 *
 * @param play whether the film goes on
 * @param speed times that of the clock
 * @param seekMs where to go on, since the begin
 * @param columns of pixels that the viewer draws
 * @param windowMs time that these columns show
 * @param reveal whether to tell the verdict
 * @param live whether to go to the present and to stay there
 * @param instrument whose order book is shown
 */
record ViewerCommand(
        @Nullable Boolean play,
        @Nullable Double speed,
        @Nullable Double seekMs,
        @Nullable Integer columns,
        @Nullable Double windowMs,
        @Nullable Boolean reveal,
        @Nullable Boolean live,
        @Nullable Integer instrument) {}

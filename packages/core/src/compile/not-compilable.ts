/** Why code cannot be made. The flight is flown by the reference, and says so with these words. */
export class NotCompilable extends Error {}

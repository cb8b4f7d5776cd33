/** So that short journals end with a commit as well as with room for the next, and files are closed now and then. */
export const smallLimits = { room: { after: 1, step: 512 }, handles: 2 } as const;

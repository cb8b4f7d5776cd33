/** The path that the studio is served under, with a slash at its end: `/`, or `/holdfast/`. The server writes it. */
export const mount: string = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="holdfast-mount"]')?.content ?? './',
  location.href,
).pathname;

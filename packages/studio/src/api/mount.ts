/** The path that the studio is served under, with a slash at its end: `/`, or `/holdfast/`. The server writes it. */
export const mount: string = new URL(written('mount') ?? './', location.href).pathname;

/** What the store is called; empty if the server does not say. */
export const storeName: string = written('store') ?? '';

function written(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="holdfast-${name}"]`)?.content;
}

const prefix = 'holdfast.';

/** A choice of the viewer that this browser keeps. A browser that keeps nothing is fine. */
export function stored(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice, or forgets it. */
export function store(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // The choice holds until the page is closed.
  }
}

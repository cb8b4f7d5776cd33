/** Keeps a public type from being made by hand; it exists in types only. */
export declare const brand: unique symbol;

/** Marks a public type that users cannot create by hand. Exists only in types. */
export declare const brand: unique symbol;

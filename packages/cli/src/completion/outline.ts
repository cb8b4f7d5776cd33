/** The commands and options that a shell completes. */
export interface Outline {
  readonly commands: readonly OutlinedCommand[];
  /** The global options. */
  readonly options: readonly OutlinedOption[];
}

/** What completion needs to know about a command. */
export interface OutlinedCommand {
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly (readonly [syntax: string, help: string])[];
  readonly options?: readonly OutlinedOption[];
}

/** What completion needs to know about an option. */
export interface OutlinedOption {
  readonly flags: string;
  readonly help: string;
}

/** The commands and options as a shell completes them. */
export interface Outline {
  readonly commands: readonly OutlinedCommand[];
  /** Those of every command. */
  readonly options: readonly OutlinedOption[];
}

/** A command as far as a shell needs to know it. */
export interface OutlinedCommand {
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly (readonly [syntax: string, help: string])[];
  readonly options?: readonly OutlinedOption[];
}

/** An option as far as a shell needs to know it. */
export interface OutlinedOption {
  readonly flags: string;
  readonly help: string;
}

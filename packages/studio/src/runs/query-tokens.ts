// The grammar of the query field, as far as the page has to know it: the server has the last word.

/** A condition of a query: `status:waiting`, `age<7d`, `"text"`. */
export interface QueryToken {
  /** Empty for a text. */
  readonly field: string;
  readonly op: string;
  readonly value: string;
  /** As it is written. */
  readonly text: string;
}

/** The conditions of a query. What is quoted stays in one piece. */
export function tokensOf(query: string): readonly QueryToken[] {
  return (query.match(/[a-z-]*[:<>]?"[^"]*"|\S+/gu) ?? []).map((text) => {
    const [, field = '', op = '', value = text] = /^([a-z-]+)([:<>])(.*)$/u.exec(text) ?? [];
    return { field, op, value, text };
  });
}

/** The query of conditions. */
export function queryOf(tokens: readonly QueryToken[]): string {
  return tokens.map(({ text }) => text).join(' ');
}

/** The statuses that a query asks for; none: all. */
export function statusesOf(query: string): readonly string[] {
  return tokensOf(query).flatMap(({ field, value }) => (field === 'status' ? value.split(',') : []));
}

/** A query for this status instead of others; undefined: for all. */
export function withStatus(query: string, status: string | undefined): string {
  const rest = tokensOf(query).filter(({ field }) => field !== 'status');
  const own = status === undefined ? [] : tokensOf(`status:${status}`);
  return queryOf([...own, ...rest]);
}

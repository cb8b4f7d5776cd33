/** What a server has done since it was made, for the metrics. */
export class Counts {
  readonly #requests = new Map<number, number>();
  #dropped = 0;

  /** A request was answered. */
  answered(status: number): void {
    this.#requests.set(status, (this.#requests.get(status) ?? 0) + 1);
  }

  /** A stream was cut because its reader was too slow. */
  dropped(): void {
    this.#dropped += 1;
  }

  /** The lines of the metrics. */
  lines(): readonly string[] {
    const requests = [...this.#requests].toSorted(([a], [b]) => a - b);
    return [
      '# HELP holdfast_http_requests_total Requests that were answered here, by status.',
      '# TYPE holdfast_http_requests_total counter',
      ...requests.map(([status, count]) => `holdfast_http_requests_total{status="${status}"} ${count}`),
      '# HELP holdfast_event_streams_dropped_total Event streams that were cut because nobody read them.',
      '# TYPE holdfast_event_streams_dropped_total counter',
      `holdfast_event_streams_dropped_total ${this.#dropped}`,
    ];
  }
}

// The icons, drawn for this studio on a grid of 16: fonts lack the symbols. Parsed once, so that a page with 500 rows does
// not parse them 500 times.

/** What is inside each icon's `<svg>`. Shapes of statuses differ also without their colour. */
export const iconShapes = {
  running: '<circle cx="8" cy="8" r="6.25"/><path d="M6.6 5.5v5l4-2.5z" fill="currentColor" stroke-linejoin="round"/>',
  waiting:
    '<path d="M2.25 3.75h11.5v7.5H8.3L5 13.75V11.25H2.25z" stroke-linejoin="round"/><path d="M6.7 6.3c.2-.8 2.7-.9 2.7.5 0 .9-1.3.8-1.3 1.7M8.08 9.7v.05"/>',
  clock: '<circle cx="8" cy="8" r="6.25"/><path d="M8 4.5V8l2.3 1.6"/>',
  completed:
    '<circle cx="8" cy="8" r="7" fill="currentColor" stroke="none"/><path d="M4.9 8.2l2.1 2.1 4.1-4.5" stroke="var(--surface)" stroke-width="1.7"/>',
  failed:
    '<path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" fill="currentColor" stroke="currentColor" stroke-width=".8" stroke-linejoin="round"/><path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6" stroke="var(--surface)" stroke-width="1.7"/>',
  cancelled: '<circle cx="8" cy="8" r="6.25"/><path d="M3.7 12.3l8.6-8.6"/>',
  suspended: '<rect x="2" y="2" width="12" height="12" rx="3"/><path d="M6.3 5.5v5M9.7 5.5v5" stroke-width="1.7"/>',
  pending: '<circle cx="8" cy="8" r="6.25" stroke-dasharray="2.6 2.3"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="M10.5 10.5L14 14"/>',
  home: '<path d="M2.5 7.2L8 2.5l5.5 4.7v6.3h-4V9.7h-3v3.8h-4z" stroke-linejoin="round"/>',
  runs: '<path d="M5.5 4h8.5M5.5 8h8.5M5.5 12h8.5M2 4h.05M2 8h.05M2 12h.05"/>',
  graph:
    '<circle cx="8" cy="3.25" r="1.75"/><circle cx="3.5" cy="12.75" r="1.75"/><circle cx="12.5" cy="12.75" r="1.75"/><path d="M7.2 4.9L4.3 11.1M8.8 4.9l2.9 6.2"/>',
  cal: '<rect x="2" y="3" width="12" height="11" rx="2"/><path d="M2 6.5h12M5.3 1.5V4M10.7 1.5V4"/>',
  store:
    '<ellipse cx="8" cy="3.8" rx="5.5" ry="2.05"/><path d="M2.5 3.8v8.4c0 1.1 2.5 2.05 5.5 2.05s5.5-.95 5.5-2.05V3.8M2.5 8c0 1.1 2.5 2.05 5.5 2.05S13.5 9.1 13.5 8"/>',
  fork: '<circle cx="4" cy="3.5" r="1.7"/><circle cx="4" cy="12.5" r="1.7"/><circle cx="12" cy="5.5" r="1.7"/><path d="M4 5.2v5.6M12 7.2c0 2.8-4.5 2-7.3 3.8"/>',
  resume: '<path d="M4.5 3v10l8-5z" stroke-linejoin="round"/>',
  stop: '<circle cx="8" cy="8" r="6.25"/><path d="M5.8 5.8h4.4v4.4H5.8z" fill="currentColor" stroke="none"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 3.2V3A1.5 1.5 0 009 1.5H4A1.5 1.5 0 002.5 3v5A1.5 1.5 0 004 9.5h.2"/>',
  more: '<path d="M3.5 8h.05M8 8h.05M12.5 8h.05" stroke-width="2.2"/>',
  right: '<path d="M6 3.5L10.5 8 6 12.5"/>',
  left: '<path d="M10 3.5L5.5 8l4.5 4.5"/>',
  down: '<path d="M3.5 6L8 10.5 12.5 6"/>',
  up: '<path d="M3.5 10L8 5.5l4.5 4.5"/>',
  check: '<path d="M3 8.5l3.3 3.3L13 4.7" stroke-width="2"/>',
  x: '<path d="M4 4l8 8M12 4l-8 8"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  minus: '<path d="M3 8h10"/>',
  warn: '<path d="M8 2L14.5 13.5h-13z" stroke-linejoin="round"/><path d="M8 6.5v3.2M8 11.6v.05"/>',
  info: '<circle cx="8" cy="8" r="6.25"/><path d="M8 7.3v3.9M8 4.9v.05"/>',
  diff: '<path d="M8 2.5v6M5 5.5h6M5 12.5h6"/>',
  pause: '<path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2"/>',
  user: '<circle cx="8" cy="5.3" r="2.8"/><path d="M2.8 14c.5-2.9 2.5-4.3 5.2-4.3s4.7 1.4 5.2 4.3"/>',
  cpu: '<rect x="4" y="4" width="8" height="8" rx="1.5"/><path d="M6.5 1.5V4M9.5 1.5V4M6.5 12v2.5M9.5 12v2.5M1.5 6.5H4M1.5 9.5H4M12 6.5h2.5M12 9.5h2.5"/>',
  lock: '<rect x="3" y="7" width="10" height="7" rx="1.5"/><path d="M5.5 7V4.8a2.5 2.5 0 015 0V7"/>',
  skull:
    '<path d="M8 1.5c3.5 0 5.75 2.4 5.75 5.5 0 2-.95 3.3-2.25 4v2.5h-7V11c-1.3-.7-2.25-2-2.25-4C2.25 3.9 4.5 1.5 8 1.5z" stroke-linejoin="round"/><path d="M5.8 7.2v.1M10.2 7.2v.1" stroke-width="2.2"/>',
  replay: '<path d="M3 8a5 5 0 105-5H4.5"/><path d="M6.5 1L4.3 3l2.2 2.2"/>',
  bolt: '<path d="M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z" stroke-linejoin="round"/>',
  plug: '<path d="M5.5 1.8v3M10.5 1.8v3M3.5 5h9v2.5a4.5 4.5 0 01-9 0zM8 12v2.5"/>',
  code: '<path d="M5 4.5L1.5 8 5 11.5M11 4.5L14.5 8 11 11.5M9.3 3l-2.6 10"/>',
  swap: '<path d="M2.5 5.5h10M9.7 2.7l2.8 2.8-2.8 2.8M13.5 10.5h-10M6.3 7.7l-2.8 2.8 2.8 2.8"/>',
  trash: '<path d="M2.5 4h11M6 4V2.3h4V4M4 4l.7 9.7h6.6L12 4"/>',
  moon: '<path d="M13.5 9.7A6 6 0 016.3 2.5a6 6 0 107.2 7.2z" stroke-linejoin="round"/>',
  expand: '<path d="M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9 7M2.5 13.5L7 9"/>',
  filter: '<path d="M2 3.5h12M4.5 8h7M6.7 12.5h2.6"/>',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof iconShapes;

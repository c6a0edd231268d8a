/** Used only by the help, and loaded with it. */
export const helpTexts = {
  guide: 'Guide',
  guidePages: {
    'first-steps': 'First steps: from the first point to the first message',
    'find-what-is-odd': 'Find current anomalies and incidents',
    'why-was-it-opened': 'Find out why an anomaly was opened',
    'teach-what-is-expected': 'Mark an anomaly as expected',
    'find-a-metric': 'Find a metric',
    'share-and-compare': 'Share a view, compare with last week',
    'planned-maintenance': 'Planned maintenance',
    keyboard: 'Keyboard shortcuts',
    console: 'Overview of the console',
  },
  groupChart: 'A focused chart',
  chartKeys: [
    { keys: '← →', label: 'Move the window; with Shift by more' },
    { keys: '+ −', label: 'Zoom in and out' },
  ],
  groupSlider: 'The 30-day overview strip',
  sliderKeys: [{ keys: '← →', label: 'Move the window by half its length' }],
  searchKeys: { keys: 'Ctrl+K', label: 'Search, even from a text field' },
} as const;

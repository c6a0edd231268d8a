import { type DemoThemeName } from '#libs/synthetic';

/** Parameters of the generated series of a demo organisation. */
export interface DemoSeriesOptions {
  theme: DemoThemeName;
  seed: number;
  /** IANA name; defines the days and weeks of the series. */
  timezone: string;
}

/** An organisation that visitors may view. */
export interface DemoTheme extends DemoSeriesOptions {
  name: string;
  description: string;
}

export const DEMO_THEMES = {
  'web-shop': {
    name: 'Demo web shop',
    description:
      'A small company that sells things on the web: requests, orders, databases and machines, busiest in the afternoon.',
    theme: 'shop',
    seed: 2,
    timezone: 'America/New_York',
  },
  factory: {
    name: 'Demo factory',
    description:
      'A factory that works in shifts: presses, mills, a furnace, and what they use of power, air and water.',
    theme: 'factory',
    seed: 3,
    timezone: 'Europe/Berlin',
  },
} as const satisfies Record<string, DemoTheme>;

export type DemoThemeId = keyof typeof DEMO_THEMES;

export const DEMO_THEME_IDS = Object.keys(DEMO_THEMES) as DemoThemeId[];

/** Null for a theme that this version does not have (any more). */
export function demoTheme(id: string): DemoTheme | null {
  return Object.hasOwn(DEMO_THEMES, id) ? DEMO_THEMES[id as DemoThemeId] : null;
}

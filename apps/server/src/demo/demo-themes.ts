/** What the series of a demo organisation are about. */
export const DEMO_THEME_IDS = ['shop', 'factory'] as const;
export type DemoThemeId = (typeof DEMO_THEME_IDS)[number];

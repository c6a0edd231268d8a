import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { texts } from './shell.texts';

/** Small controls and tight rows, so that much is visible at once. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  fontFamily: "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': texts.close } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': texts.close } } },
    // Underlined: within a sentence colour alone does not distinguish a link from the text.
    Anchor: { defaultProps: { underline: 'always' } },
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 4, horizontalSpacing: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
  },
});

/** Colours with a meaning. Texts in them have a contrast of 4.5 to the background, marks a contrast of 3. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--pl-row': '32px', '--pl-rail': '172px', '--pl-bar': '44px' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5b6675',
    '--mantine-color-error': '#c4203c',
    '--pl-text': '#1b2430',
    '--pl-dim': '#5b6675',
    '--pl-line': '#dde2e9',
    '--pl-soft': '#f4f6f9',
    '--pl-critical': '#c4203c',
    '--pl-major': '#b45000',
    '--pl-minor': '#8a6400',
    '--pl-info': '#4d5d70',
    '--pl-good': '#1f7a39',
  },
  dark: {
    '--mantine-color-body': '#14161a',
    '--mantine-color-dimmed': '#9aa5b4',
    '--mantine-color-error': '#ff6b7f',
    '--pl-text': '#e8ebf0',
    '--pl-dim': '#9aa5b4',
    '--pl-line': '#2c323b',
    '--pl-soft': '#1c2026',
    '--pl-critical': '#ff6b7f',
    '--pl-major': '#ff9a48',
    '--pl-minor': '#e6c44c',
    '--pl-info': '#9aa5b4',
    '--pl-good': '#51cf8a',
  },
});

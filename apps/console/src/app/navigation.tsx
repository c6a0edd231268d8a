import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { keepView } from '../lib/keep-view';
import { MenuButton } from './menu-button';
import { texts } from './shell.texts';
import { StrokeIcon } from './stroke-icon';
import classes from './shell.module.css';

/** The pages of the rail, with the letter after `g` and the outline of their icon in a 16-pixel box. */
export const PAGES = [
  { to: '/', label: texts.pages.now, key: 'o', icon: 'M1 9h3l2-6 3 11 2-7 1 2h3' },
  { to: '/incidents', label: texts.pages.incidents, key: 'i', icon: 'M8 1.5 15 14H1zM8 6v4M8 11.6v.9' },
  { to: '/anomalies', label: texts.pages.anomalies, key: 'a', icon: 'M1 12h4l2-9 2 9h6' },
  { to: '/metrics', label: texts.pages.metrics, key: 'm', icon: 'M1.5 1.5v13h13M4 11l3-4 3 2 4-5' },
  { to: '/teach', label: texts.pages.teach, key: 't', icon: 'M1 5l7-3 7 3-7 3zM4 7v4c2 2 6 2 8 0V7' },
  { to: '/alerts', label: texts.pages.alerts, key: 'w', icon: 'M3 12V7a5 5 0 0 1 10 0v5zM6.5 14.5h3' },
  { to: '/benchmark', label: texts.pages.benchmark, key: 'b', icon: 'M1.5 14.5h13M3.5 14.5V9M8 14.5V2.5M12.5 14.5v-8' },
  { to: '/start', label: texts.pages.start, key: 's', icon: 'M8 11V2M4.5 5.5 8 2l3.5 3.5M2 11v3h12v-3' },
  {
    to: '/setup',
    label: texts.pages.setup,
    key: 'u',
    icon: 'M1 4.5h8M13 4.5h2M11 2.5v4M1 11.5h2M7 11.5h8M5 9.5v4',
  },
] as const;

function Icon({ path }: { path: string }) {
  return (
    <StrokeIcon className={classes.icon}>
      <path d={path} />
    </StrokeIcon>
  );
}

type PageEntry = (typeof PAGES)[number];

function Item({ page, withText }: { page: PageEntry; withText: boolean }) {
  return (
    <Tooltip label={`${page.label} (g ${page.key})`} position="right">
      <Link
        to={page.to}
        search={keepView as never}
        activeOptions={{ exact: page.to === '/', includeSearch: false }}
        className={classes.item}
        aria-label={withText ? undefined : page.label}
      >
        <Icon path={page.icon} />
        {withText && <span>{page.label}</span>}
      </Link>
    </Tooltip>
  );
}

const NARROW = 'plumbline-narrow-rail';

export function Rail({ onHelp }: { onHelp: () => void }) {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(NARROW) === '1');
  const toggle = (): void => {
    localStorage.setItem(NARROW, isNarrow ? '0' : '1');
    setNarrow(!isNarrow);
  };
  return (
    <nav className={classes.rail} data-narrow={isNarrow || undefined} aria-label={texts.mainNavigation}>
      <Link to="/" search={keepView as never} className={classes.brand}>
        <img src="/favicon.svg" alt="" width="20" height="20" />
        {!isNarrow && texts.product}
      </Link>
      {PAGES.map((page) => (
        <Item key={page.to} page={page} withText={!isNarrow} />
      ))}
      <div style={{ flex: 1 }} />
      <Tooltip label={`${texts.help} (?)`} position="right">
        <ActionIcon variant="subtle" color="gray" onClick={onHelp} aria-label={texts.help} aria-keyshortcuts="?">
          ?
        </ActionIcon>
      </Tooltip>
      <Tooltip label={isNarrow ? texts.widen : texts.narrow} position="right">
        <ActionIcon variant="subtle" color="gray" onClick={toggle} aria-label={isNarrow ? texts.widen : texts.narrow}>
          {isNarrow ? '»' : '«'}
        </ActionIcon>
      </Tooltip>
    </nav>
  );
}

const ON_SMALL_SCREENS: readonly string[] = ['/', '/anomalies', '/metrics', '/teach'];

/** The rail of narrow screens. */
export function BottomBar() {
  return (
    <nav className={classes.bottom} aria-label={texts.mainNavigation}>
      {PAGES.filter(({ to }) => ON_SMALL_SCREENS.includes(to)).map((page) => (
        <Item key={page.to} page={page} withText />
      ))}
      <MenuButton
        position="top-end"
        entries={PAGES.filter(({ to }) => !ON_SMALL_SCREENS.includes(to)).map(({ to, label }) => ({ text: label, to }))}
      >
        <button type="button" className={classes.item} style={{ border: 0, background: 'none' }}>
          <Icon path="M3 8h.01M8 8h.01M13 8h.01" />
          <span>{texts.more}</span>
        </button>
      </MenuButton>
    </nav>
  );
}

import { Button, Group, Kbd, Popover, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../lib/api';
import { keepView } from '../lib/keep-view';
import { forgetKeptLinks } from '../lib/kept-links';
import { lastLiveAt, liveState } from '../lib/live/live-state';
import { useMe } from '../lib/me';
import { sessionEnded } from '../lib/session-state';
import { localZone, timeText } from '../lib/time';
import { DEFAULT_WINDOW, useSetWindow, useWindow, type ViewSearch, WINDOW_CHOICES } from '../lib/window';
import { useZone } from '../lib/zone';
import { fromInputText, inputText } from '../lib/time-input';
import { LinkButton } from './link-button';
import { MenuButton } from './menu-button';
import { words } from './shell.words';
import { ThemeButton } from './theme-button';
import classes from './shell.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className={classes.bar}>
      <Tooltip label={`${words.search} (/)`}>
        <button type="button" className={classes.search} onClick={onSearch} aria-keyshortcuts="/">
          <span>{words.search}</span>
          <Kbd size="xs">/</Kbd>
        </button>
      </Tooltip>
      <div className={classes.spacer} />
      <WindowPicker />
      <ZonePicker />
      <LiveLight />
      <LinkButton />
      <ThemeButton />
      <AccountMenu />
    </header>
  );
}

function WindowPicker() {
  const { w, from }: ViewSearch = useSearch({ strict: false });
  const window = useWindow();
  const zone = useZone();
  const setWindow = useSetWindow();
  const [isCustom, setCustom] = useState(false);
  const value = from === undefined ? (w ?? DEFAULT_WINDOW) : 'custom';
  const known = WINDOW_CHOICES.map((choice) => ({ value: choice, label: words.lastWindow(choice) }));
  const data = [
    ...known,
    ...(value === 'custom' || known.some((choice) => choice.value === value)
      ? []
      : [{ value, label: words.lastWindow(value) }]),
    {
      value: 'custom',
      label: from === undefined ? words.custom : `${timeText(window.from, zone)} – ${timeText(window.until, zone)}`,
    },
  ];
  return (
    <Popover opened={isCustom} onChange={setCustom} trapFocus withinPortal>
      <Popover.Target>
        <Select
          aria-label={words.window}
          size="xs"
          w={from === undefined ? 112 : 200}
          data={data}
          value={value}
          allowDeselect={false}
          // Its choices would be drawn with every first page.
          comboboxProps={{ keepMounted: false }}
          onOptionSubmit={(choice) => (choice === 'custom' ? setCustom(true) : setWindow(choice))}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <CustomWindow from={window.from} until={window.until} zone={zone} onDone={() => setCustom(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function CustomWindow({
  from,
  until,
  zone,
  onDone,
}: {
  from: number;
  until: number;
  zone: string;
  onDone: () => void;
}) {
  const [first, setFirst] = useState(inputText(from, zone));
  const [last, setLast] = useState(inputText(until, zone));
  const setWindow = useSetWindow();
  const edges = { from: fromInputText(first, zone), until: fromInputText(last, zone) };
  const isValid = edges.from !== null && edges.until !== null && edges.from < edges.until;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (edges.from === null || edges.until === null || !isValid) return;
        setWindow({ from: edges.from, until: edges.until });
        onDone();
      }}
    >
      <Stack gap="xs">
        <TextInput
          type="datetime-local"
          label={words.from}
          value={first}
          onChange={(event) => setFirst(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          label={words.until}
          value={last}
          onChange={(event) => setLast(event.currentTarget.value)}
          error={isValid ? undefined : words.badWindow}
        />
        <Text size="xs" className="dim">
          {zone}
        </Text>
        <Button type="submit" disabled={!isValid}>
          {words.apply}
        </Button>
      </Stack>
    </form>
  );
}

function ZonePicker() {
  const { tz }: ViewSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const orgZone = useMe().org.timezone;
  const zone = useZone();
  const choose = (next: ViewSearch['tz']): void =>
    void navigate({ to: '.', search: (current: Record<string, unknown>) => ({ ...current, tz: next }) } as never);
  return (
    <MenuButton
      heading={words.zone}
      entries={[
        { text: words.zoneOrg(orgZone), onClick: () => choose(undefined), isChosen: tz === undefined },
        { text: words.zoneLocal(localZone()), onClick: () => choose('local'), isChosen: tz === 'local' },
        { text: words.zoneUtc, onClick: () => choose('utc'), isChosen: tz === 'utc' },
      ]}
    >
      <Button variant="default" fw={400} aria-label={`${words.zone}: ${zone}`}>
        {zone === 'Etc/UTC' ? 'UTC' : zone}
      </Button>
    </MenuButton>
  );
}

function LiveLight() {
  const state = liveState.use();
  const at = lastLiveAt.use();
  const zone = useZone();
  const isEnded = sessionEnded.use();
  const text = isEnded
    ? words.notLiveEnded
    : state === 'live'
      ? words.live
      : state === 'connecting'
        ? words.connecting
        : words.stale(timeText(at, zone));
  return (
    <Tooltip label={text}>
      <Group gap={6} wrap="nowrap" role="status" aria-label={text} tabIndex={0}>
        <span className={classes.dot} data-state={state} />
        <Text size="xs" visibleFrom="md" className={classes.lightText}>
          {state === 'lost' ? words.notLiveShort : state === 'live' ? words.live : words.connecting}
        </Text>
      </Group>
    </Tooltip>
  );
}

function AccountMenu() {
  const me = useMe();
  const signOut = async (): Promise<void> => {
    await unwrap(api.POST('/api/user/logout', {}));
    forgetKeptLinks();
    location.assign('/login');
  };
  return (
    <MenuButton
      heading={
        <>
          <bdi>{me.name}</bdi>
          <br />
          {me.email}
        </>
      }
      entries={[
        { text: words.yourAccount, to: '/setup/account' },
        { text: words.report, to: '/setup/status', search: reportSearch },
        { text: words.signOut, onClick: () => void signOut() },
      ]}
    >
      <Button variant="default" fw={400} className={classes.account} aria-label={`${words.account}: ${me.org.name}`}>
        <bdi>{me.org.name}</bdi>
      </Button>
    </MenuButton>
  );
}

/** A report is about the page that one is on. */
const reportSearch = (current: Record<string, unknown>): Record<string, unknown> => ({
  ...keepView(current),
  about: location.pathname + location.search,
});

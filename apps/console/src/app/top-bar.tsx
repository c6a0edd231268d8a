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
import { texts } from './shell.texts';
import { ThemeButton } from './theme-button';
import classes from './shell.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className={classes.bar}>
      <Tooltip label={`${texts.search} (/)`}>
        <button type="button" className={classes.search} onClick={onSearch} aria-keyshortcuts="/">
          <span>{texts.search}</span>
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
  const known = WINDOW_CHOICES.map((choice) => ({ value: choice, label: texts.lastWindow(choice) }));
  const data = [
    ...known,
    ...(value === 'custom' || known.some((choice) => choice.value === value)
      ? []
      : [{ value, label: texts.lastWindow(value) }]),
    {
      value: 'custom',
      label: from === undefined ? texts.custom : `${timeText(window.from, zone)} – ${timeText(window.until, zone)}`,
    },
  ];
  return (
    <Popover opened={isCustom} onChange={setCustom} trapFocus withinPortal>
      <Popover.Target>
        <Select
          aria-label={texts.window}
          size="xs"
          w={from === undefined ? 112 : 200}
          data={data}
          value={value}
          allowDeselect={false}
          // Otherwise the options would be rendered with every first page.
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
          label={texts.from}
          value={first}
          onChange={(event) => setFirst(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          label={texts.until}
          value={last}
          onChange={(event) => setLast(event.currentTarget.value)}
          error={isValid ? undefined : texts.badWindow}
        />
        <Text size="xs" className="dim">
          {zone}
        </Text>
        <Button type="submit" disabled={!isValid}>
          {texts.apply}
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
      heading={texts.zone}
      entries={[
        { text: texts.zoneOrg(orgZone), onClick: () => choose(undefined), isChosen: tz === undefined },
        { text: texts.zoneLocal(localZone()), onClick: () => choose('local'), isChosen: tz === 'local' },
        { text: texts.zoneUtc, onClick: () => choose('utc'), isChosen: tz === 'utc' },
      ]}
    >
      <Button variant="default" fw={400} aria-label={`${texts.zone}: ${zone}`}>
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
    ? texts.notLiveEnded
    : state === 'live'
      ? texts.live
      : state === 'connecting'
        ? texts.connecting
        : texts.stale(timeText(at, zone));
  return (
    <Tooltip label={text}>
      <Group gap={6} wrap="nowrap" role="status" aria-label={text} tabIndex={0}>
        <span className={classes.dot} data-state={state} />
        <Text size="xs" visibleFrom="md" className={classes.lightText}>
          {state === 'lost' ? texts.notLiveShort : state === 'live' ? texts.live : texts.connecting}
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
        { text: texts.yourAccount, to: '/setup/account' },
        { text: texts.report, to: '/setup/status', search: reportSearch },
        { text: texts.signOut, onClick: () => void signOut() },
      ]}
    >
      <Button variant="default" fw={400} className={classes.account} aria-label={`${texts.account}: ${me.org.name}`}>
        <bdi>{me.org.name}</bdi>
      </Button>
    </MenuButton>
  );
}

/** A report is about the current page. */
const reportSearch = (current: Record<string, unknown>): Record<string, unknown> => ({
  ...keepView(current),
  about: location.pathname + location.search,
});

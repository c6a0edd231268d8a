import { Menu } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, useState } from 'react';
import { keepView } from '../lib/keep-view';

type Search = Record<string, unknown>;

/**
 * An entry opens a page, or calls a function. `search`: derives the parameters of the page from the current ones;
 * without it, the view is kept.
 */
export type MenuEntry = { text: string; isChosen?: boolean } & (
  { to: string; search?: (current: Search) => Search } | { onClick: () => void }
);

export interface MenuProps {
  target: ReactElement<HTMLAttributes<HTMLElement>>;
  heading?: ReactNode;
  entries: readonly MenuEntry[];
  position?: 'bottom' | 'top-end';
}

/** A menu that opens immediately; after that, its button opens and closes it. */
export function OpenMenu({ target, heading, entries, position = 'bottom' }: MenuProps) {
  const [isOpen, setOpen] = useState(true);
  // Opens only after the button has taken over the focus from the button that it replaces: the focus returns there.
  const hasFocus = useMounted();
  return (
    <Menu opened={hasFocus && isOpen} onChange={setOpen} position={position}>
      <Menu.Target>{cloneElement(target, { autoFocus: true })}</Menu.Target>
      <Menu.Dropdown>
        {heading !== undefined && <Menu.Label>{heading}</Menu.Label>}
        {entries.map((entry) =>
          'to' in entry ? (
            <Menu.Item key={entry.text} component={Link} to={entry.to} search={(entry.search ?? keepView) as never}>
              {entry.text}
            </Menu.Item>
          ) : (
            <Menu.Item key={entry.text} onClick={entry.onClick} fw={entry.isChosen === true ? 650 : 400}>
              {entry.text}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

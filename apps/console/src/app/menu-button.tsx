import { cloneElement, type HTMLAttributes, type ReactElement, useState } from 'react';
import { useLoadedLater } from './loaded-later';
import { type MenuProps } from './menu';

const loadMenu = () => import('./menu').then(({ OpenMenu }) => OpenMenu);

/** A button with a menu, which is loaded after the first page. `children` is the button. */
export function MenuButton({
  children,
  ...menu
}: Omit<MenuProps, 'target'> & { children: ReactElement<HTMLAttributes<HTMLElement>> }) {
  const [Menu, load] = useLoadedLater(loadMenu);
  const [isWanted, setWanted] = useState(false);
  // The original button, which may have the focus, is kept until it is pressed.
  return Menu && isWanted ? (
    <Menu {...menu} target={children} />
  ) : (
    cloneElement(children, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => void load(),
      onClick: () => void load().then(setWanted),
    })
  );
}

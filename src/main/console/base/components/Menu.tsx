import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { allowed, may, type Permission } from '../permissions';
import { useStore } from '../store';
import { trackResult } from '../working';
import { placeBeside } from './placement';
import { Icon, type IconName } from './Icon';

export interface MenuItem {
  label: string;
  icon?: IconName;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Permission that the role in the project must have; otherwise the item is not rendered. */
  needs?: Permission;
  checked?: boolean;
  /** The progress line is shown until a returned promise is settled. */
  perform: () => unknown;
}

export type MenuGroup = { title?: string; items: MenuItem[] };

interface Props {
  label: string;
  groups: MenuGroup[];
  align?: 'start' | 'end';
  button: (wiring: { 'aria-haspopup': 'menu'; 'aria-expanded': boolean; onClick: () => void }) => VNode;
}

/**
 * Menu button of the WAI-ARIA pattern: arrow keys, Home, End, letters, Escape; the focus returns to the button. Renders
 * nothing if the role permits no item.
 */
export function Menu({ label, groups: all, align = 'end', button }: Props) {
  useStore(allowed);
  const groups = all
    .map((group) => ({ ...group, items: group.items.filter((item) => may(item.needs)) }))
    .filter((group) => group.items.length > 0);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    setOpen(false);
    anchor.current?.querySelector('button')?.focus();
  };
  if (groups.length === 0) {
    return null;
  }
  return (
    <span ref={anchor} class="row">
      {button({ 'aria-haspopup': 'menu', 'aria-expanded': open, onClick: () => setOpen(!open) })}
      {open && anchor.current ? (
        <OpenMenu
          label={label}
          groups={groups}
          anchor={anchor.current}
          align={align}
          close={close}
          leave={() => setOpen(false)}
        />
      ) : null}
    </span>
  );
}

function OpenMenu({
  label,
  groups,
  anchor,
  align,
  close,
  leave,
}: {
  label: string;
  groups: MenuGroup[];
  anchor: HTMLElement;
  align: 'start' | 'end';
  close: () => void;
  leave: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  // Before the next key event, so that the key goes into the menu.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) {
      return undefined;
    }
    element.showPopover();
    const place = (): void => placeBeside(anchor, element, 'below', align);
    place();
    items(element)[0]?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !element.contains(event.target) && !anchor.contains(event.target)) {
        leave();
      }
    };
    document.addEventListener('pointerdown', outside);
    window.addEventListener('resize', place);
    return () => {
      document.removeEventListener('pointerdown', outside);
      window.removeEventListener('resize', place);
    };
  }, []);
  return (
    <div
      class="menu"
      role="menu"
      aria-label={label}
      popover="manual"
      ref={list}
      onKeyDown={(event) => steer(event, list.current, close)}>
      {groups.map((group, index) => (
        <div role="group" key={index} aria-label={group.title}>
          {index > 0 ? <hr /> : null}
          {group.title ? <div class="title">{group.title}</div> : null}
          {group.items.map((item) => (
            <Item key={item.label} item={item} close={close} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.checked}
      aria-disabled={item.disabled}
      class={item.danger ? 'danger' : ''}
      onClick={() => {
        if (!item.disabled) {
          close();
          trackResult(item.perform());
        }
      }}>
      {item.icon ? <Icon name={item.icon} /> : null}
      <span class="cut spread">{item.label}</span>
      {item.checked ? <Icon name="check" /> : null}
      {item.shortcut ? <kbd class="keycap">{item.shortcut}</kbd> : null}
    </button>
  );
}

const items = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];

function steer(event: KeyboardEvent, menu: HTMLElement | null, close: () => void): void {
  if (!menu) {
    return;
  }
  const all = items(menu);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
  if (event.key === 'Escape' || event.key === 'Tab') {
    close();
  } else if (event.key in steps) {
    all[((steps[event.key] ?? 0) + all.length) % all.length]?.focus();
  } else if (/^\S$/.test(event.key) && !event.ctrlKey && !event.metaKey) {
    const turned = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    turned.find((item) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

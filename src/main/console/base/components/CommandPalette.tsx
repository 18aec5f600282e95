import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createStore, useStore } from '../store';
import { first, offered, type Command } from '../commands';
import { useFound } from './useFound';
import { onMac, written } from '../keymap';
import { found, holdsWords } from '../search';
import { t } from '../text';
import { trackResult } from '../working';
import { Icon } from './Icon';

const open = createStore(false);

export const showPalette = (): void => open.set(true);

export function CommandPalette() {
  return useStore(open) ? <OpenPalette /> : null;
}

const textOf = (command: Command): string => `${command.label} ${command.words ?? ''}`;

function OpenPalette() {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const all = offered().filter((command) => command.label !== '');
  const things = useFound(typed);
  const [recent] = useState(() => first.get()());
  const fitting = found(all, typed, textOf);
  const shown =
    typed === ''
      ? [...recent, ...all]
      : [
          ...fitting.filter((command) => holdsWords(textOf(command), typed)),
          ...things.found,
          ...fitting.filter((command) => !holdsWords(textOf(command), typed)),
        ];
  const close = (): void => open.set(false);
  // Before the next key event, so that the key goes into the palette.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, typed]);
  const perform = (command: Command | undefined): void => {
    if (command) {
      close();
      trackResult(command.perform());
    }
  };
  const steer = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      perform(shown[at]);
    }
  };
  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label={t('base.commands')}
      onCancel={close}
      onClose={close}
      onPointerDown={(event) => event.target === dialog.current && close()}>
      <div class="palette-input">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown[at] ? `palette-${at}` : undefined}
          aria-label={t('base.searchCommands')}
          placeholder={t('base.searchCommands')}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={steer}
        />
      </div>
      <ul id="palette-list" role="listbox" aria-label={t('base.commands')}>
        {shown.map((command, index) => (
          <li
            key={command.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            data-active={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => perform(command)}>
            <Icon name={command.icon ?? 'command'} />
            <span class="cut spread">{command.label}</span>
            {command.group ? <span class="faint cut">{command.group}</span> : null}
            {command.keys ? <kbd class="keycap">{written(command.keys, onMac())}</kbd> : null}
          </li>
        ))}
        {shown.length === 0 ? (
          <li class="faint" role="presentation">
            {t(things.seeking ? 'search.seeking' : 'base.noCommand')}
          </li>
        ) : null}
      </ul>
    </dialog>
  );
}

import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../base/text';
import { fits } from '../data/values';
import { kindOf, linkOf, optionsOf, textOf, type Field, type Row } from '../model';
import { Icon } from '../../base/components/Icon';
import type { Editing, Onward } from './useGrid';

/**
 * Content of a cell; a text that does not match its column is marked, with a tooltip. Not a component: hundreds of them
 * would be created per frame while the user scrolls.
 */
export function cellText(row: Row, field: Field): VNode | null {
  const text = textOf(row, field);
  const isCheckbox = kindOf(field) === 'CHECKBOX';
  if (text === '' && !isCheckbox) {
    return null;
  }
  const options = optionsOf(field);
  if (text !== '' && !fits(text, field.type, options)) {
    return (
      <span class="cell-text misfit" title={t(`grid.misfit.${field.type as 'NUMBER'}`)}>
        {text}
      </span>
    );
  }
  if (isCheckbox) {
    return (
      <span class="cell-check">
        <Icon
          name={text === 'true' ? 'square-check' : 'square'}
          label={t(text === 'true' ? 'grid.checked' : 'grid.unchecked')}
        />
      </span>
    );
  }
  const link = field.type === 'TEXT' ? linkOf(text) : undefined;
  if (link) {
    return (
      <>
        <span class="cell-text">{text}</span>
        <a
          class="cell-link"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={-1}
          aria-label={t('grid.openLink', { url: link })}>
          <Icon name="external-link" size={14} />
        </a>
      </>
    );
  }
  return field.type === 'STATIC_DROPDOWN' ? (
    <span class="cell-option" data-tone={options.indexOf(text) % 5}>
      {text}
    </span>
  ) : (
    <span class="cell-text">{field.type === 'DATETIME' ? text.replace('T', ' ') : text}</span>
  );
}

interface Props {
  field: Field;
  text: string;
  editing: Editing;
  end: (text: string | undefined, onward: Onward) => void;
}

/** Cell editor: Enter commits and moves down, Tab moves right, Escape cancels. */
export function CellEditor({ field, text, editing, end }: Props) {
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const ended = useRef(false);
  const options = optionsOf(field);
  const first = editing.typed ?? text;
  const byLetter = options.find((option) => option.toLowerCase().startsWith((editing.typed ?? '\0').toLowerCase()));
  const [value, setValue] = useState(field.type === 'STATIC_DROPDOWN' ? (byLetter ?? text) : first);
  const finish = (keeps: boolean, onward: Onward): void => {
    if (!ended.current) {
      ended.current = true;
      // The current value of the control, not the last rendered one.
      end(keeps ? (control.current?.value ?? value) : undefined, onward);
    }
  };
  // Before the next key event, so that the key goes into the editor.
  useLayoutEffect(() => {
    control.current?.focus();
    if (editing.typed === undefined && field.type !== 'STATIC_DROPDOWN') {
      control.current?.select?.();
    }
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) {
      return;
    }
    if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      finish(true, event.key === 'Enter' ? 'down' : event.shiftKey ? 'back' : 'next');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      finish(false, 'stay');
    }
  };
  const shared = { class: 'cell-editor', 'aria-label': field.name, onKeyDown, onBlur: () => finish(true, 'leave') };
  if (field.type === 'STATIC_DROPDOWN') {
    return (
      <select {...shared} ref={control} value={value} onChange={(event) => setValue(event.currentTarget.value)}>
        <option value="">{t('base.none')}</option>
        {options.includes(text) || text === '' ? null : <option value={text}>{text}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  const isDay = field.type === 'DATE' && editing.typed === undefined && fits(text, 'DATE', []);
  return (
    <input
      {...shared}
      ref={control}
      type={isDay ? 'date' : 'text'}
      inputMode={field.type === 'NUMBER' ? 'decimal' : undefined}
      value={value}
      placeholder={field.type === 'DATE' ? '2026-12-31' : field.type === 'DATETIME' ? '2026-12-31T23:59' : undefined}
      onInput={(event) => setValue(event.currentTarget.value)}
    />
  );
}

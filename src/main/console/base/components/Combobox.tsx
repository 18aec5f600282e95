import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text';
import { firstActive, namedBy, shownFor, type ComboOption } from './comboboxModel';
import { Field, type FieldFrame } from './Field';
import { Icon } from './Icon';
import { placeBeside } from './placement';

interface Props {
  value: string;
  options: readonly ComboOption[];
  onValue: (value: string) => void;
  /** Label of the empty option; without it one option is always selected. */
  empty?: string | undefined;
  label?: string;
  disabled?: boolean;
  loading?: boolean;
  /** Set if the server searches: the query is passed on, and the options are its matches. */
  onSearch?: (query: string) => void;
  iconOf?: (value: string) => ComponentChildren;
  /** Height of a toolbar. */
  small?: boolean;
  wiring?: { id?: string; 'aria-invalid'?: 'true' | undefined; 'aria-describedby'?: string | undefined };
  field?: string;
}

/** Editable combobox of the WAI-ARIA pattern: typing narrows the list; arrow keys, Enter and Escape work in it. */
export function Combobox({
  value,
  options: all,
  onValue,
  empty,
  label,
  disabled = false,
  loading = false,
  onSearch,
  iconOf,
  small = false,
  wiring,
  field,
}: Props) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState<string>();
  const [at, setAt] = useState(0);
  const options = empty === undefined ? all : [{ value: '', label: empty }, ...all];
  const shown = shownFor(query === undefined || query === '' ? options : all, onSearch ? undefined : query);
  const selected = all.find((option) => option.value === value);
  const active = Math.min(at, shown.options.length - 1);
  const close = (): void => {
    setIsOpen(false);
    setQuery(undefined);
    onSearch?.('');
  };
  const open = (): void => {
    if (!isOpen && !disabled) {
      setIsOpen(true);
      setAt(firstActive(options, value));
      input.current?.select();
    }
  };
  const choose = (option: ComboOption | undefined): void => {
    if (option) {
      close();
      if (option.value !== value) {
        onValue(option.value);
      }
    }
  };
  const steer = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key];
    if (step !== undefined && !isOpen) {
      open();
    } else if (step !== undefined) {
      const last = shown.options.length - 1;
      setAt(
        Math.abs(step) > 1
          ? Math.max(0, Math.min(active + step, last))
          : (active + step + last + 1) % Math.max(1, last + 1),
      );
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (isOpen) {
        choose(shown.options[active]);
      } else {
        open();
      }
    } else if (event.key === 'Escape' && isOpen) {
      close();
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <span class="select combo">
      <input
        ref={input}
        class={small ? 'input small' : 'input'}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${list}-${active}` : undefined}
        aria-label={label}
        disabled={disabled}
        data-field={field}
        data-value={value}
        {...wiring}
        placeholder={loading ? t('base.loading') : selected ? selected.label : (empty ?? '')}
        value={query ?? selected?.label ?? ''}
        onClick={open}
        onKeyDown={steer}
        onBlur={() => isOpen && (query === undefined ? close() : choose(namedBy(all, query) ?? { value, label: '' }))}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          setQuery(typed);
          setIsOpen(true);
          setAt(0);
          onSearch?.(typed);
        }}
      />
      <Icon name="chevrons-up-down" size={14} />
      {isOpen && input.current ? (
        <Options
          id={list}
          anchor={input.current}
          at={active}
          value={value}
          shown={shown.options}
          choose={choose}
          iconOf={iconOf}
          label={label ?? t('base.options')}>
          {shown.options.length === 0 ? (
            <div class="faint combo-note">{t(loading ? 'base.loading' : 'base.noMatch')}</div>
          ) : null}
          {shown.more > 0 ? <div class="faint combo-note">{t('base.moreOptions', { count: shown.more })}</div> : null}
        </Options>
      ) : null}
    </span>
  );
}

const PAGE = 8;

/** The field keeps the focus: a press in the list must not take it. */
function Options({
  id,
  anchor,
  at,
  value,
  shown,
  choose,
  iconOf,
  label,
  children,
}: {
  id: string;
  anchor: HTMLElement;
  at: number;
  value: string;
  shown: readonly ComboOption[];
  choose: (option: ComboOption) => void;
  iconOf: Props['iconOf'];
  label: string;
  children: ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current!;
    const place = (): void => {
      element.style.width = `${anchor.getBoundingClientRect().width}px`;
      placeBeside(anchor, element, 'below');
    };
    if (!element.matches(':popover-open')) {
      element.showPopover();
    }
    place();
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
    };
  }, [shown.length]);
  useLayoutEffect(
    () => list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' }),
    [at, shown],
  );
  return (
    <div class="menu combo-list" popover="manual" ref={list} onMouseDown={(event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label={label}>
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.value === value}
            data-active={index === at}
            data-option={option.value}
            onClick={() => choose(option)}>
            {iconOf && option.value !== '' ? iconOf(option.value) : null}
            <span class="combo-words spread">
              <span class={option.value === '' ? 'faint' : ''}>{option.label}</span>
              {option.about ? <span class="faint cut">{option.about}</span> : null}
            </span>
            {option.value === value ? <Icon name="check" size={14} /> : null}
          </div>
        ))}
      </div>
      {children}
    </div>
  );
}

export function ComboField({
  value,
  options,
  onValue,
  empty,
  iconOf,
  field,
  ...frame
}: FieldFrame & Pick<Props, 'value' | 'options' | 'onValue' | 'empty' | 'iconOf' | 'field'>) {
  return (
    <Field {...frame}>
      {(wiring) => (
        <Combobox
          value={value}
          options={options}
          onValue={onValue}
          empty={empty}
          iconOf={iconOf}
          {...(field ? { field } : {})}
          wiring={wiring}
        />
      )}
    </Field>
  );
}

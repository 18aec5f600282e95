import type { ComponentChildren, JSX } from 'preact';
import { useMay, type Permission } from '../permissions';
import { linkTo } from '../router';
import { Icon, type IconName } from './Icon';
import { Tooltip } from './Tooltip';

export interface ButtonProps {
  kind?: 'primary' | 'usual' | 'quiet' | 'danger';
  size?: 'usual' | 'small' | 'wide';
  icon?: IconName;
  /** What it is called when it shows an icon alone. */
  label?: string;
  /** Shown in the tooltip of a button without a word. */
  shortcut?: string;
  busy?: boolean;
  /** What the role in the project must allow; it is not there for others. */
  needs?: Permission;
  disabled?: boolean;
  type?: 'button' | 'submit';
  onClick?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => void;
  children?: ComponentChildren;
  more?: JSX.HTMLAttributes<HTMLButtonElement>;
}

const classes = (kind: string, size: string, alone: boolean): string =>
  ['button', kind === 'usual' ? '' : kind, size === 'usual' ? '' : size, alone ? 'icon-only' : ''].filter(Boolean).join(' ');

/** A button; while it is busy it keeps its place and cannot be pressed again. */
export function Button(props: ButtonProps) {
  const { kind = 'usual', size = 'usual', icon, label, busy = false, type = 'button' } = props;
  const alone = props.children === undefined;
  if (!useMay(props.needs)) {
    return null;
  }
  const button = (
    <button
      {...props.more}
      class={classes(kind, size, alone)}
      type={type}
      aria-label={alone ? label : undefined}
      aria-busy={busy || undefined}
      disabled={props.disabled || busy}
      onClick={props.onClick}
    >
      {busy ? <Icon name="loader-circle" spin /> : icon ? <Icon name={icon} /> : null}
      {props.children}
    </button>
  );
  return alone && label ? <Tooltip text={label} {...(props.shortcut ? { shortcut: props.shortcut } : {})}>{button}</Tooltip> : button;
}

/** A link to a view that looks like a button. */
export function LinkButton({ to, kind = 'usual', size = 'usual', icon, children }: ButtonProps & { to: string }) {
  return (
    <a class={classes(kind, size, false)} {...linkTo(to)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </a>
  );
}

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMay, type Permission } from '../permissions';
import { linkTo } from '../router';
import { Icon, type IconName } from './Icon';
import { Tooltip } from './Tooltip';

export interface ButtonProps {
  kind?: 'primary' | 'usual' | 'quiet' | 'danger';
  size?: 'usual' | 'small' | 'wide';
  icon?: IconName;
  /** Accessible name of a button with an icon only. */
  label?: string;
  /** Shown in the tooltip of a button without text. */
  shortcut?: string;
  busy?: boolean;
  /** Permission that the role in the project must have; otherwise the button is not rendered. */
  needs?: Permission;
  disabled?: boolean;
  type?: 'button' | 'submit';
  /** The button is busy until a returned promise is settled. It ignores presses meanwhile, and keeps the focus. */
  onClick?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => unknown;
  /** Presses of the busy button count: the handler queues them. */
  queues?: boolean;
  children?: ComponentChildren;
  more?: JSX.HTMLAttributes<HTMLButtonElement> & Record<`data-${string}`, string | boolean | undefined>;
}

const classes = (kind: string, size: string, alone: boolean): string =>
  ['button', kind === 'usual' ? '' : kind, size === 'usual' ? '' : size, alone ? 'icon-only' : '']
    .filter(Boolean)
    .join(' ');

/** Button that keeps its size while busy. */
export function Button(props: ButtonProps) {
  const { kind = 'usual', size = 'usual', icon, label, type = 'button' } = props;
  const [pending, setPending] = useState(0);
  const busy = props.busy === true || pending > 0;
  const onClick = (event: JSX.TargetedMouseEvent<HTMLButtonElement>): void => {
    if (pending > 0 && !props.queues) {
      event.preventDefault();
      return;
    }
    const work = props.onClick?.(event);
    if (work instanceof Promise) {
      setPending((count) => count + 1);
      void work.finally(() => setPending((count) => count - 1));
    }
  };
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
      aria-disabled={(pending > 0 && !props.queues) || undefined}
      disabled={props.disabled || props.busy}
      onClick={onClick}>
      {busy ? <Icon name="loader-circle" spin /> : icon ? <Icon name={icon} /> : null}
      {props.children}
    </button>
  );
  return alone && label ? (
    <Tooltip text={label} {...(props.shortcut ? { shortcut: props.shortcut } : {})}>
      {button}
    </Tooltip>
  ) : (
    button
  );
}

export function LinkButton({
  to,
  kind = 'usual',
  size = 'usual',
  icon,
  needs,
  children,
}: ButtonProps & { to: string }) {
  if (!useMay(needs)) {
    return null;
  }
  return (
    <a class={classes(kind, size, false)} {...linkTo(to)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </a>
  );
}

import { icons, type IconName } from '#icons';

export type { IconName };

interface Props {
  name: IconName;
  size?: number;
  spin?: boolean;
  /** Accessible name; not needed beside visible text. */
  label?: string;
}

/** Icon of `base/icons/names.txt`. */
export function Icon({ name, size = 16, spin = false, label }: Props) {
  return (
    <svg
      class={spin ? 'icon spin' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size > 20 ? 1.75 : 2}
      stroke-linecap="round"
      stroke-linejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}

import { icons, type IconName } from '#icons';
import { IconShape } from './IconShape';

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
  return <IconShape shape={icons[name]} size={size} spin={spin} strokeWidth={size > 20 ? 1.75 : 2} label={label} />;
}

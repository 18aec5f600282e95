import { icons, type IconName } from '#guest-icons';
import { IconShape } from '../base/components/IconShape';

export type { IconName };

/** Icon of `guest/icons.txt`; decorative beside text, therefore hidden from screen readers. */
export function Icon({ name, size = 16, spin = false }: { name: IconName; size?: number; spin?: boolean }) {
  return <IconShape shape={icons[name]} size={size} spin={spin} strokeWidth={2} />;
}

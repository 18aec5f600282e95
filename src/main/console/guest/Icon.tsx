import { icons, type IconName } from '#guest-icons';

export type { IconName };

/** Icon of `guest/icons.txt`; decorative beside text, therefore hidden from screen readers. */
export function Icon({ name, size = 16, spin = false }: { name: IconName; size?: number; spin?: boolean }) {
  return (
    <svg
      class={spin ? 'icon spin' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={2}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}

import { useState } from 'preact/hooks';
import { brand } from '../base/brand';
import { useStore } from '../base/store';

/** Logo of the platform; the built-in one by default, or if the image cannot be loaded. */
export function Logo({ size = 24 }: { size?: number }) {
  const logo = useStore(brand, (known) => known.logo);
  const [broken, setBroken] = useState<string>();
  return logo && logo !== broken ? (
    <img class="logo" src={logo} alt="" width={size} height={size} onError={() => setBroken(logo)} />
  ) : (
    <Mark size={size} />
  );
}

export function Mark({ size }: { size: number }) {
  return (
    <svg
      class="mark-logo"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      aria-hidden="true">
      <circle cx="12" cy="10" r="3" />
      <path d="M12 2.5V7M12 13v4.5M4.5 10H9M15 10h4.5M6.7 4.7l3.2 3.2M14.1 12.1l3.2 3.2M17.3 4.7l-3.2 3.2M9.9 12.1l-3.2 3.2" />
      <path d="M2 21c2-1.4 4-1.4 6 0s4 1.4 6 0 4-1.4 8 0" />
    </svg>
  );
}

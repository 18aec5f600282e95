interface Props {
  /** Content of an SVG document with the grid of 24 by 24 units. */
  shape: string;
  size: number;
  spin: boolean;
  strokeWidth: number;
  /** Accessible name; without it screen readers skip the icon. */
  label?: string | undefined;
}

export function IconShape({ shape, size, spin, strokeWidth, label }: Props) {
  return (
    <svg
      class={spin ? 'icon spin' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={strokeWidth}
      stroke-linecap="round"
      stroke-linejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      dangerouslySetInnerHTML={{ __html: shape }}
    />
  );
}

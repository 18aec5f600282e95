type Rgb = readonly [number, number, number];

const WANTED = 4.5;
const STEPS = 40;

const mapped = ([red, green, blue]: Rgb, change: (part: number, index: number) => number): Rgb => [
  change(red, 0),
  change(green, 1),
  change(blue, 2),
];
const parse = (hex: string): Rgb => mapped([1, 3, 5], (at) => parseInt(hex.slice(at, at + 2), 16));
const write = (rgb: Rgb): string => '#' + rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');

function luminance(rgb: Rgb): number {
  const [red, green, blue] = mapped(rgb, (part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colors, from 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The color, or the nearest lighter or darker one with enough contrast to the background. */
export function readable(color: string, ground: string): string {
  const target: Rgb = luminance(parse(ground)) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  const from = parse(color);
  for (let step = 0; step <= STEPS; step++) {
    const mixed = write(mapped(from, (part, index) => part + ((target[index]! - part) * step) / STEPS));
    if (contrast(mixed, ground) >= WANTED) {
      return mixed;
    }
  }
  return write(target);
}

/** Share of the accent in the soft background of selected elements. */
const SOFT = 0.14;

export function softened(color: string, ground: string): string {
  const [over, under] = [parse(color), parse(ground)];
  return write(mapped(under, (part, index) => part + (over[index]! - part) * SOFT));
}

export function accentOn(color: string, ground: string): { accent: string; soft: string } {
  const first = readable(color, ground);
  const soft = softened(first, ground);
  return { accent: readable(first, soft), soft };
}

type Rgb = readonly [number, number, number];

const WANTED = 4.5;
const STEPS = 40;

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const write = (rgb: Rgb): string => '#' + rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The colour, or the nearest lighter or darker one with enough contrast to the background. */
export function readable(color: string, ground: string): string {
  const target: Rgb = luminance(parse(ground)) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  const from = parse(color);
  for (let step = 0; step <= STEPS; step++) {
    const mixed = write(from.map((part, index) => part + ((target[index]! - part) * step) / STEPS) as unknown as Rgb);
    if (contrast(mixed, ground) >= WANTED) {
      return mixed;
    }
  }
  return write(target);
}

/** Share of the accent in the soft background of selected elements. */
const SOFT = 0.14;

/** Background with a small share of the colour. */
export function softened(color: string, ground: string): string {
  const [over, under] = [parse(color), parse(ground)];
  return write(under.map((part, index) => part + (over[index]! - part) * SOFT) as unknown as Rgb);
}

/** Accent with enough contrast on the background and on its soft tint, and that tint. */
export function accentOn(color: string, ground: string): { accent: string; soft: string } {
  const first = readable(color, ground);
  const soft = softened(first, ground);
  return { accent: readable(first, soft), soft };
}

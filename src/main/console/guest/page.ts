import { readable } from '../base/color';

const page = document.documentElement;

/** Way from this page to the root of the server; the server writes it, whatever stands in front of it. */
export const prefix = page.dataset['prefix'] ?? '..';

/** Whose page this is. */
export const brand = { name: page.dataset['name'] ?? '', logo: page.dataset['logo'] ?? '' };

/** What the server uses while nobody has chosen a colour; the theme has its shades already. */
const USUAL = '#2f6f5e';

/** The platform's colour, made readable on light and on dark ground. */
export function applyColor(): void {
  const color = page.dataset['color'] ?? '';
  if (color.toLowerCase() === USUAL || !/^#[0-9a-f]{6}$/i.test(color)) {
    return;
  }
  const [light, dark] = [readable(color, '#ffffff'), readable(color, '#1e1c1a')];
  page.style.setProperty('--accent', `light-dark(${light}, ${dark})`);
  page.style.setProperty('--on-accent', 'light-dark(#ffffff, #141210)');
  page.style.setProperty('--accent-soft', `color-mix(in oklab, light-dark(${light}, ${dark}) 14%, var(--raised))`);
}

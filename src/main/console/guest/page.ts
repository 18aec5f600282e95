import { readable } from '../base/color';

const page = document.documentElement;

/** Relative path from this page to the root of the server, written by the server for any path prefix. */
export const prefix = page.dataset['prefix'] ?? '..';

export const brand = { name: page.dataset['name'] ?? '', logo: page.dataset['logo'] ?? '' };

/** Default color of the server; the theme already has its shades. */
const USUAL = '#2f6f5e';

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

/** Colors of projects and agents by their names in the API; icons are drawn in white on them. */
export const palette = {
  RED: '#ef4444',
  BLUE: '#3b82f6',
  YELLOW: '#eab308',
  PURPLE: '#a855f7',
  GREEN: '#22c55e',
  PINK: '#f472b6',
  VIOLET: '#9333ea',
  ORANGE: '#f97316',
  DARK_GREEN: '#15803d',
  CYAN: '#06b6d4',
  LAVENDER: '#8b5cf6',
  DEEP_ORANGE: '#ea580c',
};

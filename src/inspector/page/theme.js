// Light and dark: the choice of the system, or that of the toggle. The canvases read their colours here.

import { readKept, keep } from './kept.js';

const PALETTES = {
  light: {
    dark: false,
    paper: '#fbf7ee',
    ink: '#3d352b',
    quiet: '#6b604f',
    halo: 'rgba(251, 247, 238, .92)',
    area: '#8d7d5d',
    thing: '#4b3517',
    place: '#2f626c',
    shut: '#93452f',
    bubble: '#fffdf8',
    bubbleRim: '#cbbd9f',
    accent: '#1f6f7a',
    edit: '#b0387f',
    probe: '#1f7a6d',
    bad: '#b3382c',
    amber: '#c9891a',
    scene: '#7c5fb0',
    grid: 'rgba(107, 96, 79, .18)',
    shade: 'rgba(90, 67, 38, .22)',
  },
  dark: {
    dark: true,
    paper: '#1f1d18',
    ink: '#efe6d3',
    quiet: '#a89b83',
    halo: 'rgba(31, 29, 24, .88)',
    area: '#a4957a',
    thing: '#dcc8a4',
    place: '#8cc3cc',
    shut: '#e89a80',
    bubble: '#332d23',
    bubbleRim: '#5d5241',
    accent: '#6fc3cd',
    edit: '#ec83c0',
    probe: '#62cbb9',
    bad: '#f0806a',
    amber: '#e8b23f',
    scene: '#b79be6',
    grid: 'rgba(230, 215, 185, .12)',
    shade: 'rgba(0, 0, 0, .38)',
  },
};

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = [];
let chosen = readKept('theme', null);

export function palette() {
  return PALETTES[name()];
}

function name() {
  return chosen ?? (systemDark.matches ? 'dark' : 'light');
}

export function onTheme(listener) {
  listeners.push(listener);
}

export function toggleTheme() {
  chosen = name() === 'dark' ? 'light' : 'dark';
  keep('theme', chosen);
  apply();
}

export function apply() {
  document.documentElement.dataset.theme = name();
  for (const listener of listeners) listener();
}

systemDark.addEventListener('change', apply);

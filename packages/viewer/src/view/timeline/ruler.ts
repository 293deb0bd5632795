/** Ticks of the ruler, at round steps that leave room for their labels. */

const STEPS_S = [
  1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600,
];
/** Space per label. */
const LABEL_PX = 62;

interface RulerTick {
  readonly tUs: number;
  readonly text: string;
}

export function rulerTicks(fromUs: number, toUs: number, widthPx: number): RulerTick[] {
  const perLabelS = ((toUs - fromUs) / 1e6) * (LABEL_PX / Math.max(1, widthPx));
  const stepS = STEPS_S.find((step) => step >= perLabelS) ?? 3600;
  const stepUs = Math.round(stepS * 1e6);
  const ticks: RulerTick[] = [];
  for (let tUs = Math.ceil(fromUs / stepUs) * stepUs; tUs <= toUs; tUs += stepUs) {
    ticks.push({ tUs, text: timeText(tUs, stepS) });
  }
  return ticks;
}

function timeText(tUs: number, stepS: number): string {
  const seconds = tUs / 1e6;
  const digits = stepS >= 1 ? 0 : Math.ceil(-Math.log10(stepS) - 1e-9);
  if (stepS < 30 || seconds < 60) return seconds.toFixed(digits);
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")}`;
}

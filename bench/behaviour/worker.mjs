/** Runs trials of the behaviour cells for main.mjs: a message `{scene, trial}` in, `{scene, trial, results}` out. */
import { parentPort, workerData } from 'node:worker_threads';
import { runTrial, SCENES } from '../../dist/libs/evaluation/src/index.js';

const isWanted = (scene, cell) => SCENES[scene].cells[cell].name.toLowerCase().includes(workerData.only);

parentPort.on('message', ({ scene, trial }) => {
  const results = runTrial(
    SCENES[scene],
    trial,
    (cell) => isWanted(scene, cell),
    () => performance.now(),
  );
  parentPort.postMessage({ scene, trial, results });
});

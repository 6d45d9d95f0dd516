"""Measures how long the page takes from the change of a slider, or of the frame, to the picture on its canvas.

    WARPREEL=target/release/warpreel CHROMIUM=$(command -v chromium) target/page/bin/python tests/page/measure.py CLIP [CHAIN]

The first slider of a parameter that is a number, no count, is moved over all that it reaches. Prints medians and nine tenths, of 50
changes, in milliseconds; and what the server alone takes for 50 random frames as they are. All that after the clip has been looked
through, and its frames lie on disk; and then what random frames cost before, from five seconds after a start without that disk.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

MEASURE = """async slides => {
  const stage = document.getElementById('stage');
  const changed = async (name, change) => {
    const began = performance.now();
    const drawn = new Promise((resolve, reject) => {
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(stage, { attributeFilter: [name] });
      setTimeout(() => reject(new Error(`no picture followed; the page says: ${document.getElementById('status').textContent}`)), 10000);
    });
    change();
    await drawn;
    const took = performance.now() - began;
    await new Promise(resolve => setTimeout(resolve, 150));
    return took;
  };
  const set = (control, value) => {
    control.value = String(value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const slider = document.querySelector('#cards .control.number input[type=range]');
  if (slides && !slider) throw new Error('no filter of the chain has a parameter that is a number');
  const frame = document.getElementById('frame');
  const [sliders, frames] = [[], []];
  for (let index = 0; slides && index < 50; index++) {
    const [low, high] = [Number(slider.min), Number(slider.max)];
    const value = low + ((index + 0.5) / 50) * (high - low);
    sliders.push(await changed('data-chain', () => { slider.step = 'any'; set(slider, value.toFixed(4)); }));
  }
  for (let index = 0; index < 50; index++) {
    const last = Number(frame.max);
    let wanted = Math.floor(Math.random() * last);
    if (String(wanted) === frame.value) wanted = last;
    frames.push(await changed('data-frame', () => set(frame, wanted)));
  }
  return [sliders, frames];
}"""


def tell(name, times):
    times = sorted(times)
    print(f"{name}: median {times[len(times) // 2]:.0f} ms, nine tenths within {times[len(times) * 9 // 10]:.0f} ms")


def survey(address):
    """What is known once the clip has been looked through."""
    while True:
        told = json.load(urllib.request.urlopen(address + "thumbs"))
        if told["done"]:
            return told
        time.sleep(0.5)


def seeks(address):
    """Milliseconds for random frames, from the request to the last byte."""
    count, times = json.load(urllib.request.urlopen(address + "clip"))["frames"], []
    for _ in range(50):
        order = {"view": "seek", "first": random.randrange(count), "count": 1, "chain": None}
        began = time.perf_counter()
        urllib.request.urlopen(address + "frames", json.dumps(order).encode()).read()
        times.append(1000 * (time.perf_counter() - began))
    return times


def measure(clip, chain, is_stored):
    command = [os.environ["WARPREEL"], "preview", clip, "-f", chain, "--no-open"] + ([] if is_stored else ["--scratch", "0"])
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = re.search(r"http\S+", program.stdout.readline())[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("#stage[data-frame]")
        page.get_by_role("tab", name="Explain").click()
        if is_stored:
            print(f"looked through, {survey(address)['stored_bytes'] >> 20} MiB on disk")
        else:
            print("without that")
        page.wait_for_timeout(5000)
        for name, times in zip(("slider", "frame"), page.evaluate(MEASURE, is_stored)):
            if times:
                tell(name, times)
        browser.close()
    survey(address)
    tell("server", seeks(address))
    program.send_signal(signal.SIGINT)
    program.wait(10)


def main(clip, chain="gaussian=sigma=0.9"):
    measure(clip, chain, True)
    measure(clip, chain, False)


main(*sys.argv[1:])

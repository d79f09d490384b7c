#!/usr/bin/env python3
"""Writes the pictures beside this file, with Pillow (tried with 13.0). Their pixels are in ../FilePictures.swift too."""
import pathlib
from PIL import Image

folder = pathlib.Path(__file__).parent
size = (24, 16)


def picture(mode, pixel):
    image = Image.new(mode, size)
    image.putdata([pixel(x, y) for y in range(size[1]) for x in range(size[0])])
    return image


def ramp(x, y):
    return (10 * x, 15 * y, 128)


def clear_ramp(x, y):
    return (10 * x, 15 * y, 128, 0 if x < 4 else 255 if x > 8 else 100)


def flag(x, y):
    return (255, 0, 0) if x < 8 else (0, 128, 0) if x < 16 else (0, 0, 255)


def other_flag(x, y):
    return (255, 255, 0)


colour = picture("RGB", ramp)
colour.save(folder / "baseline.jpg", quality=95, subsampling=0)
colour.save(folder / "sampled.jpg", quality=95, subsampling=2)
colour.save(folder / "progressive.jpg", quality=95, subsampling=0, progressive=True)
colour.convert("L").save(folder / "grey.jpg", quality=95)
picture("CMYK", lambda x, y: (10 * x, 15 * y, 128, 32)).save(folder / "inks.jpg", quality=95, subsampling=0)
colour.save(folder / "lossy.webp", quality=95, method=0)
picture("RGBA", clear_ramp).save(folder / "lossy-alpha.webp", quality=95, method=0, exact=True)
picture("RGBA", clear_ramp).save(folder / "lossless.webp", lossless=True, exact=True)
colour.save(folder / "animated.webp", save_all=True, append_images=[picture("RGB", flag)], lossless=True)

three = picture("RGB", flag).quantize(8)
three.save(folder / "flag.gif", interlace=0)
three.save(folder / "interlaced.gif", interlace=1)
three.save(folder / "clear.gif", transparency=three.getpixel((10, 0)), interlace=0)
three.save(folder / "animated.gif", save_all=True, append_images=[picture("RGB", other_flag).quantize(8)], duration=100)
